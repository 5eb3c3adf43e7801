"""What fills the window before the first prompt: which instructions load here, what each costs, what could go."""
