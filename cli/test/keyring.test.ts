import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { builtCli } from './built.ts'

const cli = builtCli()

const NEEDED = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool']
const lacking = NEEDED.filter((program) => spawnSync('which', [program]).status !== 0)
if (lacking.length > 0)
  process.stderr.write(`SKIPPED: keys are not tried in a keyring, for ${lacking.join(', ')} is not here\n`)
const wherePresent = lacking.length > 0 ? test.skip : test

/** Records the arguments of `secret-tool`, then is it. */
const RECORDER = `#!/bin/sh
echo "$@" >>"$ARGUMENTS"
PATH=\${PATH#*:} exec secret-tool "$@"
`

/** What `login` does once the service knows the key. */
const KEEP = `
const { Profiles } = await import(process.env.PROFILES)
new Profiles(process.env).use('default', { baseUrl: 'http://127.0.0.1:1', apiKey: process.env.KEY, merchantId: 'm' })
`

/** In a session of its own: prints what the commands say, and how much the keyring has at the end. */
const SESSION = `
printf unlocked | gnome-keyring-daemon --unlock --components=secrets >/dev/null
"$NODE" --input-type=module -e "$KEEP"
cp "$DISPATCH_CONFIG_DIR/profiles/default.json" "$HOME/kept.json"
env -u KEY "$NODE" "$PROGRAM" profiles --json
env -u KEY "$NODE" "$PROGRAM" logout --json
secret-tool search --all service delivery-dispatch | grep -c . || true
`

const KEY = 'svc_live_000000000000_ofTheKeyringAlone'

/** A home of its own, and what the session prints there, line by line. */
function inSession(name: string, env: Record<string, string> = {}) {
  const home = join(cli.folder, name)
  mkdirSync(join(home, 'bin'), { recursive: true })
  writeFileSync(join(home, 'bin/secret-tool'), RECORDER, { mode: 0o755 })
  writeFileSync(join(home, 'arguments'), '')
  const stdout = execFileSync('dbus-run-session', ['--', 'bash', '-euo', 'pipefail', '-c', SESSION], {
    env: {
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DISPATCH_CONFIG_DIR: join(home, 'config'),
      ARGUMENTS: join(home, 'arguments'),
      PROFILES: join(import.meta.dirname, '../src/profiles.ts'),
      NODE: process.execPath,
      PROGRAM: cli.program,
      KEEP,
      KEY,
      ...env,
    },
    timeout: 60_000,
  })
  return {
    printed: stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    kept: readFileSync(join(home, 'kept.json'), 'utf8'),
    calls: readFileSync(join(home, 'arguments'), 'utf8'),
  }
}

const LISTED = [{ profile: 'default', current: true, environment: 'live', base_url: 'http://127.0.0.1:1' }]
const REMOVED = { profile: 'default', removed: true }

wherePresent('a key is kept in the keyring alone, goes there by no argument, and leaves with its profile', () => {
  const { printed, kept, calls } = inSession('with')
  expect(printed).toEqual([LISTED, REMOVED, 0])
  expect(kept).not.toContain(KEY)
  expect(calls).toMatch(/^store /m)
  expect(calls).not.toContain(KEY)
})

wherePresent('where the keyring is turned off, or refuses, the key is in the file', () => {
  const off = inSession('off', { DISPATCH_KEYRING: 'off' })
  expect(off.printed).toEqual([LISTED, REMOVED, 0])
  expect(off.kept).toContain(KEY)
  expect(off.calls).not.toMatch(/^store /m)
  const refused = inSession('refused', {
    DBUS_SESSION_BUS_ADDRESS: '',
    KEEP: `process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nowhere';${KEEP}`,
  })
  expect(refused.printed).toEqual([LISTED, REMOVED, 0])
  expect(refused.kept).toContain(KEY)
})
