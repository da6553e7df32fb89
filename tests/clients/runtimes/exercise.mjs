// What is asked of the built client in every runtime, with nothing but what all of them have. Answers what it found.
export async function exercise({ DeliveryDispatch, DispatchError, verifyWebhook }, { baseUrl, apiKey, webhook }) {
  const dispatch = new DeliveryDispatch({ baseUrl, credential: apiKey })
  const at = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString()
  const order = (number, window = 120) => ({
    schema_version: '1',
    source: 'api',
    external_order_id: `runtime-${number}`,
    raw_payload: {},
    standardized: {
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '4 Admiralty Way, Lekki',
      customer_name: 'Adaeze Okoro',
      customer_phone: '+2348012345678',
      scheduled_pickup_at: at(60),
      delivery_window_start: at(60),
      delivery_window_end: at(window),
    },
  })
  const placed = []
  for (const number of [1, 2, 3]) placed.push((await dispatch.createOrder(order(number))).order.id)

  const paged = []
  for await (const { id } of dispatch.listOrders({ limit: 2 })) paged.push(id)

  const refused = await dispatch.createOrder(order(4, 30)).catch((error) => error)
  const verified = await verifyWebhook(webhook.body, webhook.headers, { secret: ['another-secret-00', webhook.secret] })
  const forged = await verifyWebhook(`${webhook.body} `, webhook.headers, webhook).catch(({ reason }) => reason)

  const enough = new AbortController()
  const followed = []
  for await (const { event } of dispatch.events.follow({ signal: enough.signal })) {
    if (event.event === 'order.created') followed.push(event.order.id)
    if (followed.length === 3) enough.abort()
  }
  return {
    placed: placed.length,
    paged: paged.toReversed().join() === placed.join(),
    refused: refused instanceof DispatchError ? refused.code : String(refused),
    verified: verified.event,
    forged,
    // Those of different orders come in any order.
    followed: followed.length === placed.length && placed.every((id) => followed.includes(id)),
  }
}
