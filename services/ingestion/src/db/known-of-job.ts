import type { Reads } from '@svc/transact'
import type { ChannelSettings } from '../domain/channel-settings.ts'
import { readSettings, type SettingsRow, storedSettings } from './channel-settings.ts'
import { type Conversation, confirmedBy } from './conversations.ts'
import { type ClaimedJob, type ToldBefore, toldBefore } from './normalization-jobs.ts'
import type { OpenSecret } from './secret-opener.ts'

export interface Known {
  /** What its customer has said and confirmed. */
  confirmed: Conversation | undefined
  before: ToldBefore
  /** Of its merchant for its channel. */
  settings: ChannelSettings
}

/** What is kept of the order of a job, in one round trip; nobody else works on that order until the job ends. */
export async function knownOfJob(
  reads: Pick<Reads, 'together'>,
  openSecret: OpenSecret,
  job: ClaimedJob,
): Promise<Known> {
  const asked = [confirmedBy(job.id), toldBefore(job), storedSettings(job)]
  const [confirmed, before, settings] = (await reads.together('every tenant', asked)) as [
    Conversation[],
    [ToldBefore],
    SettingsRow[],
  ]
  return { confirmed: confirmed[0], before: before[0], settings: readSettings(openSecret, job, settings) }
}
