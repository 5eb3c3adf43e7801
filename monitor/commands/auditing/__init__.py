"""What fills the window before the first word: which instructions load here, what each costs, what could go."""
