export { mayLoseDigits, parseExact } from './parse-exact.ts'
export { RawJson, stringify } from './raw-json.ts'
