export { ConfigError, parseConfig } from './parse-config.ts'
export { csv, durationMs, file, flag, integer, peerAddress, port, secretBase64, statedCsv } from './pieces.ts'
export { instanceOf, serviceKnobs } from './service-knobs.ts'
