"""The OpenAPI document: what flask-smorest and apispec do not know by themselves."""
