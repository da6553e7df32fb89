import type { Driver, DriverAdmin } from './driver.ts'

/**
 * How many facts of the topics a group has not finished, over a connection that is kept from one reading to the next.
 * Those who ask while it is read share the answer.
 */
export function lagReader(driver: Pick<Driver, 'admin'>, { group, topics }: { group: string; topics: string[] }) {
  let admin: Promise<DriverAdmin> | undefined
  let underWay: Promise<number> | undefined
  let isClosed = false

  async function disconnect(): Promise<void> {
    const last = admin
    admin = undefined
    await last?.then((connected) => connected.close()).catch(() => undefined)
  }

  async function readNow(): Promise<number> {
    try {
      admin ??= driver.admin()
      return await (await admin).lag(group, topics)
    } catch (error) {
      await disconnect()
      throw error
    } finally {
      underWay = undefined
      if (isClosed) await disconnect()
    }
  }

  return {
    async read(): Promise<number> {
      if (isClosed) throw new Error(`the consumer of ${group} has stopped`)
      underWay ??= readNow()
      return underWay
    },
    /** Whoever reads at the moment disconnects at the end: at a broker that answers nobody that is minutes away. */
    async close(): Promise<void> {
      isClosed = true
      if (!underWay) await disconnect()
    },
  }
}
