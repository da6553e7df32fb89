import { EXIT, Failure } from './failure.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** 30s, 15m, 2h or 3d in seconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  return unit ? Number(number) * UNITS[unit]! : undefined
}

export function secondsOf(text: string): number {
  const seconds = parseDuration(text)
  if (!seconds) throw new Failure(`${text} is no duration: 30s, 15m, 2h, 3d.`, EXIT.usage)
  return seconds
}
