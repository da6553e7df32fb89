# python3 verify.py <secret> <signature header> <body file> [event id] [timestamp] [now]
import base64
import hashlib
import hmac
import re
import sys
import time

TOLERANCE_SECONDS = 300


def sign(secret: str, content: bytes) -> bytes:
    return hmac.new(secret.encode(), content, hashlib.sha256).digest()


def same(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode())


def fresh(timestamp: str, now: float) -> bool:
    return re.fullmatch(r"[0-9]{1,12}", timestamp) is not None and abs(now - int(timestamp)) <= TOLERANCE_SECONDS


def verify_v1(secret: str, body: bytes, signature: str) -> bool:
    """X-Service-Signature of version v1: `v1=<hex>` over the raw body."""
    return same("v1=" + sign(secret, body).hex(), signature)


def verify_v2(secret: str, body: bytes, signature: str, event_id: str, now: float | None = None) -> bool:
    """X-Service-Signature of version v2: `t=<unix seconds>,v2=<hex>[,v2=<hex>]` over `<event id>.<t>.<raw body>`."""
    first, *entries = signature.split(",")
    timestamp = first[2:] if first.startswith("t=") else ""
    if not fresh(timestamp, time.time() if now is None else now):
        return False
    expected = "v2=" + sign(secret, f"{event_id}.{timestamp}.".encode() + body).hex()
    return any([same(expected, entry) for entry in entries])


def verify_standard(
    secret: str, body: bytes, signature: str, id: str, timestamp: str, now: float | None = None
) -> bool:
    """webhook-signature of Standard Webhooks: `v1,<base64>[ v1,<base64>]` over `<webhook-id>.<webhook-timestamp>.<raw body>`."""
    if not fresh(timestamp, time.time() if now is None else now):
        return False
    digest = sign(secret, f"{id}.{timestamp}.".encode() + body)
    expected = "v1," + base64.b64encode(digest).decode()
    return any([same(expected, entry) for entry in signature.split(" ")])


if __name__ == "__main__":
    secret, signature, file, *rest = sys.argv[1:]
    id, timestamp, now = rest + ["", "", str(time.time())][len(rest):]
    with open(file, "rb") as stream:
        body = stream.read()
    # Your endpoint calls the one check that it is set up for; this program looks at the shape to be shorter.
    if signature.startswith("v1,"):
        valid = verify_standard(secret, body, signature, id, timestamp, float(now))
    elif signature.startswith("t="):
        valid = verify_v2(secret, body, signature, id, float(now))
    else:
        valid = verify_v1(secret, body, signature)
    print("valid" if valid else "invalid")
    sys.exit(0 if valid else 1)
