// API_KEY=… SECRET=… node forward-events.mjs http://127.0.0.1:9000/: posts the events that happen from now on to a receiver that
// we cannot reach, one after the other and signed as v2. BASE_URL says where the API is; AFTER, a cursor that was printed, where to go on.
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const { BASE_URL = 'http://127.0.0.1:8080', API_KEY, SECRET } = process.env
const receiver = process.argv[2]
if (!API_KEY || !SECRET || !receiver) throw new Error('Set API_KEY and SECRET, and name the address of your receiver.')

/** Posts an event until the receiver has taken it. */
async function forward(event) {
  const delivery = randomUUID()
  const body = JSON.stringify({ delivery_id: delivery, ...event })
  for (;;) {
    const t = Math.floor(Date.now() / 1000)
    const v2 = createHmac('sha256', SECRET).update(`${event.event_id}.${t}.${body}`).digest('hex')
    const headers = {
      'Content-Type': 'application/json',
      'X-Service-Event': event.event,
      'X-Service-Delivery': delivery,
      'X-Service-Event-Id': event.event_id,
      'X-Service-Timestamp': String(t),
      'X-Service-Signature': `t=${t},v2=${v2}`,
    }
    const answer = await fetch(receiver, { method: 'POST', headers, body }).catch(({ cause }) => cause)
    console.log(event.event, event.event_id, answer.status ?? answer.message)
    if (answer.ok) return
    await pause(1_000)
  }
}

for (let after = process.env.AFTER ?? 'latest'; ; await pause(1_500)) {
  const headers = { Authorization: `Bearer ${API_KEY}` }
  const url = `${BASE_URL}/v1/events?after=${encodeURIComponent(after)}`
  const answer = await fetch(url, { headers }).catch(({ cause }) => cause)
  if (answer.ok) {
    const { events, next_cursor } = await answer.json()
    if (after === 'latest') console.log('AFTER', next_cursor)
    after = next_cursor ?? after
    for (const { cursor, ...event } of events) {
      await forward(event)
      console.log('AFTER', cursor)
    }
  } else if (answer.status < 500 && answer.status !== 429) throw new Error(await answer.text())
  else console.error('no events:', answer.status ?? answer.message)
}
