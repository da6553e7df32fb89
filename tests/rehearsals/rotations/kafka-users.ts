import { randomBytes } from 'node:crypto'
import { kafkaDriver } from '../../../libs/kafka/src/driver.ts'
import { SERVICES } from '../mesh-certificates.ts'
import type { Rotation } from '../rotation.ts'

/** A second user of each service with the same rights, then the first is removed with all that it might do. */
export const kafkaUsers: Rotation = {
  name: 'kafka-users',
  async rotate({ kafka, rollTogether, tell, told }) {
    const old = SERVICES.map((service) => [service, told(service, 'KAFKA_BROKERS')] as const)
    for (const service of SERVICES) {
      const user = `${service}-2`
      const password = randomBytes(24).toString('base64url')
      await kafka.addUser(user, password)
      await kafka.allowService(service, user)
      const fresh = kafka.as(user, password).join()
      if (!(await admits(fresh))) throw new Error(`${user} does not log in`)
      tell(service, { KAFKA_BROKERS: fresh })
    }
    await rollTogether(SERVICES)
    for (const [user, brokers] of old) {
      await kafka.removeUser(user)
      if (await admits(brokers)) throw new Error(`${user} still logs in`)
    }
    // With what is left alone.
    await rollTogether(SERVICES)
  },
}

async function admits(brokers: string): Promise<boolean> {
  try {
    const admin = await kafkaDriver({ brokers: brokers.split(','), clientId: 'rehearsal' }).admin()
    await admin.close()
    return true
  } catch (error) {
    if (!/SASL|authentication/i.test((error as Error).message)) throw error
    return false
  }
}
