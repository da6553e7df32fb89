import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const LOOK_EVERY_MS = 500

interface Target {
  /** Where connections are passed to. */
  url: string
  /** Answers 200 while it takes connections. */
  servingUrl: string
}

/** What a Service of a cluster does: each connection goes to one of those that say that they serve, and stays there. */
export async function balancer(targets: readonly Target[]) {
  let serving = targets
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = serving[turn++ % serving.length]
    if (!target) return client.destroy()
    const { hostname, port } = new URL(target.url)
    const upstream = connect({ host: hostname, port: Number(port) })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const stopping = new AbortController()
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      const answers = await Promise.all(targets.map(isServing))
      serving = targets.filter((_, index) => answers[index])
      await wait(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      stopping.abort()
      server.close()
      for (const socket of open) socket.destroy()
      await looking
    },
  }
}

const isServing = ({ servingUrl }: Target): Promise<boolean> =>
  fetch(servingUrl).then(
    ({ ok }) => ok,
    () => false,
  )
