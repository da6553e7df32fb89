import os
from datetime import datetime, timedelta, timezone

import openapi_client as dispatch

configuration = dispatch.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
soon = datetime.now(timezone.utc) + timedelta(hours=1)


def body(name, window_end):
    return dispatch.CreateOrderRequest(
        schema_version="1",
        source="api",
        external_order_id=name,
        raw_payload={"cart": 42},
        standardized=dispatch.Standardized(
            pickup_address="12 Marina Road, Lagos",
            dropoff_address="4 Admiralty Way, Lekki",
            customer_phone="+2348012345678",
            scheduled_pickup_at=soon,
            delivery_window_start=soon,
            delivery_window_end=window_end,
        ),
    )


with dispatch.ApiClient(configuration) as client:
    orders = dispatch.OrdersApi(client)
    placed = orders.create_order(body("python-1", soon + timedelta(hours=1)), idempotency_key="python-1").order
    print("placed", placed.id)
    read = orders.get_order(placed.id).order
    print("read", read.id, read.unified_json.status)
    page = orders.list_orders(limit=10)
    print("listed", len(page.orders), "of", page.total)
    try:
        orders.create_order(body("python-2", soon - timedelta(hours=1)))
    except dispatch.ApiException as refused:
        print("refused", refused.status, refused.data.error, refused.data.details.var_field)
