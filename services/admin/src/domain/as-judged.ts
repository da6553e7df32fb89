import { unauthorized } from './unauthorized.ts'

/**
 * The account, whose row is held, as it was when its password or its address was judged; 401 where it has ended since, or is in
 * another epoch: what stood on the former one has ended. Not the hash tells: another pepper makes another one of the same
 * password.
 */
export function asJudged<Account extends { epoch: number }>(held: Account | null, judged: { epoch: number }): Account {
  if (!held || held.epoch !== judged.epoch) throw unauthorized('invalid')
  return held
}
