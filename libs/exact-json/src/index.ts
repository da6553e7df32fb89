export { mayLoseDigits, parseExact } from './parse-exact.ts'
