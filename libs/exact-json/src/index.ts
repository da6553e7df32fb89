export { countContainers } from './count-containers.ts'
export { isExactNumber, mayLoseDigits, parseExact } from './parse-exact.ts'
export { RawJson, stringify } from './raw-json.ts'
export { type JsonObject, readObject, UnfitJson } from './read-object.ts'
