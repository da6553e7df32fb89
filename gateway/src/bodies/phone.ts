import { matching } from '@svc/inputs'

const E164 = /^\+[1-9]\d{6,14}$/
const NIGERIAN_LOCAL = /^0\d{10}$/

export const phone = matching(
  new RegExp(`${E164.source}|${NIGERIAN_LOCAL.source}`),
  'must be E.164, or 0 and ten digits',
).meta({ description: 'E.164, or Nigerian local (0 and ten digits)', example: '+2348012345678' })

/** One spelling of a phone: the local form becomes E.164. */
export const e164 = (spelt: string): string => (NIGERIAN_LOCAL.test(spelt) ? `+234${spelt.slice(1)}` : spelt)
