export { postgresBinFolder } from '../native.mjs'
export { type Child, type ChildOptions, endOfLog, startChild, whenReady } from './child.ts'
export { claimFolder } from './claim-folder.ts'
export { type ClamdServer, startClamd } from './clamd.ts'
export { fetchTextReaders } from './fetch-text-readers.ts'
export { freePort, freePorts, isPortFree } from './free-port.ts'
export { goProgram } from './go-program.ts'
export { fetchKafkaJars, fetchKafkaTools } from './kafka-jars.ts'
export { type KeptRunning, keepRunning } from './keep-running.ts'
export {
  type ServerAddresses,
  type ServerName,
  type ServerPorts,
  type Servers,
  type ServersOptions,
  startServers,
} from './native-servers.ts'
export { endRecorded, livePid, writePidFile } from './pid-file.ts'
export { startPrivateBrokers, startPrivateServers } from './private-servers.ts'
export { keepTestServers, stopTestServers, TEST_SERVERS_PID_FILE, testServers } from './test-servers.ts'
