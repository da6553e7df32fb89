import { hostname } from 'node:os'
import { z } from 'zod'
import { csv, drainDelayMs, durationMs, flag, integer, nodeEnv, port } from './pieces.ts'

/** What every service process reads, to be spread into the schema of its own knobs. */
export const serviceKnobs = {
  host: z.string().default('127.0.0.1'),
  grpcPort: port.default(0),
  /** Health and metrics over HTTP. */
  opsPort: port.default(0),
  /** Stable name of this replica: a restart under the same name takes its outbox shards over at once. */
  instance: z.string().optional(),
  grpcReflection: flag.default(false),
  kafkaBrokers: csv,
  /** Brokers that keep each fact; unless given three, or as many as there are. Production refuses topics with fewer. */
  kafkaReplicationFactor: integer.min(1).optional(),
  /** Something else keeps others from writing a service's topic: production asks the brokers unless told so. */
  kafkaAcl: z.literal('off').optional(),
  nodeEnv,
  drainDelayMs,
  /** Between two looks for rows, and objects, that are past the time for which they are kept. */
  sweepIntervalMs: durationMs.default(600_000),
  /** Put before every topic and group. */
  topicPrefix: z.string().default(''),
} as const

/** The name of this replica: the configured one, else its host and port. */
export const instanceOf = ({ instance, grpcPort }: { instance?: string; grpcPort: number }): string =>
  instance ?? `${hostname()}:${grpcPort}`
