import type { IncomingMessage } from 'node:http'
import { ExpressInstrumentation, ExpressLayerType } from '@opentelemetry/instrumentation-express'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'

const OPERATIONS_PATH = /^\/(health|metrics)(\/|\?|$)/
const isOperations = ({ url }: IncomingMessage) => OPERATIONS_PATH.test(url ?? '')

/** Every library whose calls become spans; rpcs and facts make their own (libs/grpc, libs/kafka). Probes and polls that belong to no request make none. */
export const instrumentations = () => [
  new UndiciInstrumentation(),
  new HttpInstrumentation({ ignoreIncomingRequestHook: isOperations }),
  new ExpressInstrumentation({ ignoreLayersType: [ExpressLayerType.MIDDLEWARE, ExpressLayerType.ROUTER] }),
  new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
  new IORedisInstrumentation({ requireParentSpan: true }),
]
