"""What is told while it happens: streams of events, and requests that wait for the next one."""
