import { setLogger } from '@grpc/grpc-js'
import { createLogger } from '@svc/logging'

const logger = createLogger('grpc-js')
const line = (parts: unknown[]) => parts.map(String).join(' ')

/** What grpc-js itself has to say becomes JSON lines like everything else; its level is GRPC_VERBOSITY. */
export function logOfLibrary(): void {
  setLogger({
    error: (...parts: unknown[]) => logger.warn(line(parts)),
    info: (...parts: unknown[]) => logger.info(line(parts)),
    debug: (...parts: unknown[]) => logger.debug(line(parts)),
  })
}
