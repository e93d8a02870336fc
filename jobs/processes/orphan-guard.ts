/**
 * Loaded into every supervised child before its own code: when the supervisor is gone, even by a kill -9,
 * the child is asked to end as if by SIGTERM.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening alone must not keep a child alive that has come to its end.
process.channel?.unref();
