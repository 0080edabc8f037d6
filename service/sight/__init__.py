"""What an operator sees of the service: metrics, one log line for each request, and traces if they are wanted."""
