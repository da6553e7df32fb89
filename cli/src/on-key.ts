/** Does something each time a key is pressed, where somebody may press one; returns what ends that. */
export function onKey(key: string, act: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  const pressed = (data: Buffer) => {
    for (const typed of data.toString())
      if (typed === '\u0003') process.kill(process.pid, 'SIGINT')
      else if (typed === key) act()
  }
  stdin.setRawMode(true)
  stdin.on('data', pressed)
  stdin.unref()
  return () => {
    stdin.off('data', pressed)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
