import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import tls from 'node:tls'
import { PROCESSES } from '../mesh-certificates.ts'
import type { Rotating, Rotation } from '../rotation.ts'

/** Each process gets another by the same authority, as cert-manager renews them; the one of before is good till it ends. */
export const certificates: Rotation = {
  name: 'certificates',
  async rotate(rotating) {
    rotating.certificates.sign()
    await rotating.roll(PROCESSES, {})
    await showTheirs(rotating)
  },
}

/** Throws where a replica shows another certificate than its files hold. */
async function showTheirs({ certificates: held, told, system }: Rotating): Promise<void> {
  for (const replica of system.processes) {
    const port = Number(told(replica, 'GRPC_PORT'))
    // A gateway is nobody's server.
    if (!port) continue
    const client = { host: '127.0.0.1', port, ALPNProtocols: ['h2'], ...held.of('gateway') }
    const socket = tls.connect(client)
    await once(socket, 'secureConnect')
    const shown = socket.getPeerX509Certificate()
    socket.destroy()
    const { cert } = held.of(replica.replace(/-2$/, ''))
    if (shown?.fingerprint256 !== new X509Certificate(cert).fingerprint256)
      throw new Error(`${replica} shows another certificate`)
  }
}
