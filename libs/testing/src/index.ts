export {
  fetchKafkaJars,
  fetchKafkaTools,
  freePort,
  startPrivateBrokers,
  stopTestServers,
  testServers,
} from '@svc/servers'
export { adminCaller, merchantCaller, riderCaller, TEST_SECRET } from './callers.ts'
export { type TestDatabase, testDatabase } from './database.ts'
export { eventually, onceAvailable } from './eventually.ts'
export { explain, explaining } from './explain.ts'
export { type Mesh, mesh, type RunningMesh } from './mesh.ts'
export { passedOn } from './passed-on.ts'
export {
  type ReceivedRequest,
  type Receiver,
  type ReceiverOptions,
  type Reply,
  type Respond,
  receiver,
} from './receiver.ts'
export { serviceUnderTest, surroundingsOf } from './service-under-test.ts'
export { countedReads, whateverSessionsDo } from './settled-lists.ts'
export { sharedMesh } from './shared-mesh.ts'
export { tenantWall } from './tenant-wall.ts'
export { testClient } from './test-client.ts'
export { uniquePrefix } from './unique-prefix.ts'
export { vacuum } from './vacuum.ts'
export { waitingFor } from './waiting-for.ts'
