"""CodeRef2 over the index: references such as ``@M/src/Order.cs#Order.Submit:12``, and tools that find, analyse and check them."""
