import { handshake } from '../handshake.ts'
import { PROCESSES } from '../mesh-certificates.ts'
import type { Rotation } from '../rotation.ts'
import { showTheirs } from './certificates.ts'

/** All trust both authorities before any certificate is of the second, and the first goes when none is of it any more. */
export const authority: Rotation = {
  name: 'authority',
  async rotate(rotating) {
    const { certificates, rollTogether, system, told } = rotating
    const before = certificates.of('gateway')
    const fresh = certificates.found()
    certificates.trust(certificates.first, fresh)
    await rollTogether(PROCESSES)
    certificates.sign(fresh)
    await rollTogether(PROCESSES)
    await showTheirs(rotating)
    certificates.trust(fresh)
    await rollTogether(PROCESSES)
    await showTheirs(rotating)
    const { ca } = certificates.of('gateway')
    for (const replica of system.processes) {
      const port = Number(told(replica, 'GRPC_PORT'))
      if (port && (await handshake(port, { ...before, ca })))
        throw new Error(`${replica} takes a certificate of the old authority`)
    }
  },
}
