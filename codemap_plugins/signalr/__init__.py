"""Links between clients and hubs of SignalR, which know each other's methods by name."""
