export const KAFKA_VERSION: string
export function postgresBinFolder(): string | undefined
export function programPath(name: string): string | undefined
export function missingPackages(wanted: {
  postgres?: boolean
  redis?: boolean
  kafka?: boolean
  promtool?: boolean
  node?: boolean
  kafkaJarsFolder: string
}): string[]
export function dockerHas(images: string[]): boolean
export function testImages(env?: NodeJS.ProcessEnv): { postgres: string; redis: string; kafka: string }
