"""What facts say: lists of them, and what they add up to for a member: tables, routes, side effects, exceptions."""
