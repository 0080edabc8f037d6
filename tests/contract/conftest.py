"""What lies here that is not ours to collect: it runs elsewhere, with packages that are generated there."""

collect_ignore = ["node", "generated_client.py", "play_openapi_generator.py"]
