import { X509Certificate } from 'node:crypto'
import { handshake } from '../handshake.ts'
import { PROCESSES } from '../mesh-certificates.ts'
import type { Rotating, Rotation } from '../rotation.ts'

/** Each process gets another by the same authority, as cert-manager renews them; the one of before is good till it ends. */
export const certificates: Rotation = {
  name: 'certificates',
  async rotate(rotating) {
    rotating.certificates.sign(rotating.certificates.first)
    await rotating.roll(PROCESSES, {})
    await showTheirs(rotating)
  },
}

/** Throws where a replica does not show the certificate that its files hold. */
export async function showTheirs({ certificates: held, told, system }: Rotating): Promise<void> {
  for (const replica of system.processes) {
    const port = Number(told(replica, 'GRPC_PORT'))
    // A gateway is nobody's server.
    if (!port) continue
    const shown = await handshake(port, held.of('gateway'))
    const { cert } = held.of(replica.replace(/-2$/, ''))
    if (shown?.fingerprint256 !== new X509Certificate(cert).fingerprint256)
      throw new Error(`${replica} shows ${shown ? 'another certificate' : 'nothing'}`)
  }
}
