"""All running sessions on one live screen. It changes nothing."""
