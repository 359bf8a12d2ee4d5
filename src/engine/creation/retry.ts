/**
 * The longest pause, in seconds, between two attempts of a controller to create what is refused: it doubles
 * from 5 ms (client-go `workqueue.DefaultTypedControllerRateLimiter`). Controllers do not watch quotas or
 * policies; a change of the owner or of its pods makes them try at once.
 */
export const longestRetrySeconds = 1000;
