/**
 * This module is loaded into every supervised child before the child's own code. When the supervisor ends, the child
 * sends itself SIGTERM. This also works if the supervisor ends by kill -9.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// This listener must not keep a finished child running.
process.channel?.unref();
