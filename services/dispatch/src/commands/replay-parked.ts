import { dispatch } from '../service.ts'

// Sockets are not told of the past.
await dispatch.replayParked({ realtime: { publish: () => undefined } })
