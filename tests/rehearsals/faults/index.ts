import type { Fault } from '../fault.ts'
import { CODES } from './codes.ts'
import { FACTS } from './facts.ts'
import { HOOKS } from './hooks.ts'
import { PROCESSES, SESSIONS } from './processes.ts'
import { SERVERS } from './servers.ts'
import { MONEY, THIRD_PARTIES } from './third-parties.ts'
import { WEBHOOKS } from './webhooks.ts'

export const FAULTS: readonly Fault[] = [
  ...SERVERS,
  ...PROCESSES,
  ...SESSIONS,
  ...FACTS,
  ...WEBHOOKS,
  ...HOOKS,
  ...THIRD_PARTIES,
  ...MONEY,
  ...CODES,
]

/** Faults that do not touch each other are caused at one time; all others by themselves, after these. */
export const TOGETHER: readonly string[] = [
  'topic-too-small',
  'defect',
  'receivers-fail',
  'hooks-badly-signed',
  'hook-useless',
  'clock-wrong',
  'cash-kept',
  'shipment-held',
  'attachment-held',
]

/** Faults that are written and that no run has yet been seen to pass whole; the table says so. Whoever sees one strikes it off. */
export const UNSEEN: readonly string[] = []
