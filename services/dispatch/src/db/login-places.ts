import { digestsOf, type Peppers } from '@svc/credentials'
import { networkOf } from '@svc/inputs'
import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'
import { rowsOf, write } from './rows.ts'

const KEPT = `interval '30 days'`
/** The networks of a rider that are remembered: those of the latest log-ins. */
const PER_RIDER = 20
/** Has logged in from nowhere; it is asked for where nobody has the phone, so that both take the same time. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** From where somebody logs in as a rider, as codes and tries count it. */
export interface LoginPlace {
  /** The rider has logged in from there within 30 days. */
  isKnown: boolean
  /** What has one code at a time: a known network has its own, all others share one. */
  subjectId: string
  /** Every subject whose code may be out for this phone, those of strangers first. */
  subjectIds: readonly string[]
  /** Under which the network is remembered; absent where the caller has no address. */
  network: Buffer | undefined
}

interface Login {
  phone: string
  /** Absent where nobody has the phone. */
  riderId: string | undefined
  /** Of the client. */
  ip: string | undefined
}

/** The place of a log-in. */
export async function loginPlace(
  tx: Tx,
  { otpPepper }: { otpPepper: Peppers },
  { phone, riderId = NOBODY, ip }: Login,
): Promise<LoginPlace> {
  const name = networkOf(ip ?? '')
  // Keyed, as there are few enough networks to try them all; and another one for each rider.
  const networks = name === undefined ? [] : digestsOf(otpPepper, `login-network:${riderId}:${name}`)
  const known = await rowsOf<{ network: Buffer }>(
    tx,
    `SELECT network FROM login_networks WHERE rider_id = $1 AND at > $2::timestamptz - ${KEPT} ORDER BY network`,
    [riderId, tx.now],
  )
  const subjectOf = (digest: Buffer): string => `${phone} ${digest.toString('hex')}`
  const met = networks.find((network) => known.some((row) => row.network.equals(network)))
  return {
    isKnown: met !== undefined,
    subjectId: met ? subjectOf(met) : phone,
    subjectIds: [phone, ...known.map((row) => subjectOf(row.network))],
    network: networks[0],
  }
}

/** Remembers that the rider has logged in from there, and forgets its oldest networks beyond so many. */
export async function rememberPlace(tx: Tx, riderId: string, { network }: LoginPlace): Promise<void> {
  if (!network) return
  await write(
    tx,
    `INSERT INTO login_networks AS known (rider_id, network, at) VALUES ($1, $2, $3)
     ON CONFLICT (rider_id, network) DO UPDATE SET at = greatest(known.at, excluded.at)`,
    [riderId, network, tx.now],
  )
  await write(
    tx,
    `DELETE FROM login_networks WHERE rider_id = $1 AND network IN
       (SELECT network FROM login_networks WHERE rider_id = $1 ORDER BY at DESC, network OFFSET $2)`,
    [riderId, PER_RIDER],
  )
}

/** Networks from which nobody has logged in for 30 days. */
export const oldLoginNetworks: Expiry = { table: 'login_networks', age: 'at', keep: KEPT }
