"""Routes: endpoints of controllers, minimal APIs, hubs, services, components and pages, with the templates that requests match."""
