export { ConfigError, parseConfig } from './parse-config.ts'
export {
  csv,
  drainDelayMs,
  durationMs,
  file,
  flag,
  integer,
  nodeEnv,
  peerAddress,
  port,
  secretBase64,
  secretsBase64,
  statedCsv,
  statedUrl,
} from './pieces.ts'
export { readTogether } from './read-together.ts'
export { checkServerLinks, linksInTheClear } from './server-links.ts'
export { instanceOf, serviceKnobs } from './service-knobs.ts'
