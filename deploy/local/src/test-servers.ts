// `npm run test:servers`: keeps the servers that tests need until it is told to stop. A run of tests finds them, and starts at once.
import { keepTestServers, TEST_SERVERS_PID_FILE } from '@svc/servers'
import { oneAtATime } from './one-at-a-time.ts'
import { progress } from './progress.ts'
import { runUntilStopped } from './run-until-stopped.ts'

await runUntilStopped(async (session) => {
  session.onStop('', oneAtATime(TEST_SERVERS_PID_FILE))
  progress('starting PostgreSQL, Redis and Kafka')
  session.onStop('the servers', await keepTestServers())
  progress('ready: every run of tests in this clone uses them now, until Ctrl-C')
})
