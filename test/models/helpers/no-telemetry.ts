/**
 * Loaded before onnxruntime, whose library from 1.30 on keeps a database of events in the home folder and reports them to
 * its maker; where there is no way out, a process could wait for that at its end for good.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';
