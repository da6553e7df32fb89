import { connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be frozen: connections stay and are taken, and nothing goes through them any more. */
export async function freezable(address: string) {
  const [host, port] = address.split(':') as [string, string]
  const sockets = new Set<Socket>()
  let isFrozen = false
  const proxy = createServer((near) => {
    const far = connect(Number(port), host)
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    const pass = (from: Socket, to: Socket) => from.on('data', (bytes) => !isFrozen && to.write(bytes))
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(proxy.address() as { port: number }).port}`,
    freeze: () => {
      isFrozen = true
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
