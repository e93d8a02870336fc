/**
 * Imported before ONNX Runtime. From 1.30 on its library keeps a database of events in the home folder and reports them
 * to its maker; without a network, a process could wait forever for the report when it exits.
 */
// oxlint-disable-next-line no-restricted-properties -- The library reads no other configuration.
process.env['ORT_DISABLE_TELEMETRY'] = '1';
