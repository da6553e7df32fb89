import { createServer } from 'node:net'

// Below the range from which the kernel takes the ports of outgoing connections, so that none of these lands on ours.
const LOWEST = 20_000
const HIGHEST = 31_999

/** Whether nothing listens on the port of 127.0.0.1. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A free port of 127.0.0.1 that is not among `taken`. */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1))
    if (!taken.has(port) && (await isPortFree(port))) return port
  }
}

/** That many different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort(ports))
  return [...ports]
}
