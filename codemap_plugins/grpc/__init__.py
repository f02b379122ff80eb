"""Links from clients of gRPC to the services that answer them, where each has its own copy of the contract."""
