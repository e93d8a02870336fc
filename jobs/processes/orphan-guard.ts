/**
 * Loaded into every supervised child before its own code. When the supervisor ends, even by kill -9, the child sends
 * itself SIGTERM.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// This listener must not keep a finished child running.
process.channel?.unref();
