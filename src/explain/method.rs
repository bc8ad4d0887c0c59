//! The method, derived, with its sources. A page to read: it holds no code.
//!
//! `streamleak --why` prints every number named here for a log of one's own
//! (see [`crate::explain::workings`]). Thresholds stand at the items that hold them and not
//! on this page, since the calibration moves them.
//!
//! # What is counted
//!
//! A stream is an interval `[s, e)` of a key, which is an address and a user
//! agent unless one asks for another ([`KeyField`]). Let N(t) be how many are
//! open at t, A(t) the keys that have one open, and E(t) the *superseded*
//! streams: those still open although their key has opened another. Then
//!
//! ```text
//! N(t) = A(t) + E(t)        at every instant,
//! ```
//!
//! because a key with n > 0 streams open counts once in A and n - 1 times in
//! E. What holds at every instant holds for means and, since least squares is
//! linear in its data, for slopes: slope(N) = slope(A) + slope(E).
//!
//! **Why E.** A slope of N says nothing of a leak. It climbs in the morning,
//! with every new customer, after every restart; on simulated logs without
//! any leak of that kind nearly every test of a trend in N fires, however
//! carefully its error is estimated. A client that closes what it no longer
//! needs adds to A alone, and a client that abandons its old streams adds to
//! E. So E is what is tested, N gives the size. The key is never the session
//! by default: clients that leak open a new session with every stream, which
//! would make each leaked stream a client of its own and move the leak from E
//! to A.
//!
//! # Exact means
//!
//! The log begins at T0 and ends at T1, the times of the first and the last
//! record *of any kind*. (Begun at its first opening, every log would climb.)
//! With I(t) the time held until t, summed over all streams,
//!
//! ```text
//! I(t) = Σ over s ≤ t of (t - s)  -  Σ over e ≤ t of (t - e),
//! mean of N over [a, b) = (I(b) - I(a)) / (b - a).
//! ```
//!
//! A uses the union of each key's intervals in place of the intervals, and E
//! is the difference. No bins are involved, so that no result depends on
//! where a minute begins; sums are whole microseconds, so that E is exactly 0
//! where nothing overlaps ([`crate::series::means`]).
//!
//! # Storms
//!
//! Streams that end at once and are opened again at once, by the hundred, are
//! no concurrency: they are found first and taken out, because each of their
//! ends would look like a restart and their holds would hide everyone else's
//! ([`crate::detect::storm`]). They make the log a storm if one goes on at T1, or if
//! they took a good part of it, unless the rest shows worse.
//!
//! # Restarts, drains, deploys
//!
//! A restart closes most of what is open, and all ages at once. So
//! closings are one ([`crate::series::restarts::sudden`]) when enough of them, and enough of
//! what is open, come within seconds, *and* the ages that they close are
//! spread: from the 10th to the 90th percentile by a good share of their
//! median. Clients that were started together and run into one ceiling
//! together are closed at one age, and are no restart.
//!
//! Two things look like that and are restarts all the same. Deploys that
//! follow each other close streams which were all opened after the deploy
//! before, so of one age; but of another age each time, which no ceiling does
//! ([`Sign::Deploys`]). And a rolling restart or a slow worker closes what is
//! old one after another, over minutes: a *drain* ([`crate::series::restarts::drain`]) is told
//! by most of the old streams being closed within a small part of their age.
//! Streams that end at chance times do not do that.
//!
//! Restarts are looked for among all streams and among the superseded ones
//! alone, since only one of several workers may have kept these.
//!
//! # What the end of a log hides, and why that is safe
//!
//! Most servers write a line when a request ends. A stream that is open at T1
//! is not in the log. Let streams begin at the rate λ and be held longer than
//! v with probability S(v). Those open at t < T1 that began v before are
//! λ S(v) dv; of these the log misses the ones still open at T1, which are
//! λ S(v + T1 - t) dv. What is left is
//!
//! ```text
//! seen(t) = λ ∫₀^∞ S(v) dv - λ ∫_{T1-t}^∞ S(v) dv = λ ∫₀^{T1-t} S(v) dv,
//! ```
//!
//! which only falls as t nears T1. The same is true stream by stream, without
//! any assumption: a hidden stream, once begun, stays to the end, so that the
//! number of hidden ones never falls, and N rises at least as much as is seen.
//! E does too but for one stream of each key with a hidden one: while nothing
//! else of the key is seen, its first hidden stream supersedes none. *A rise
//! that is seen is real; a fall at the right edge is not.* So hiding makes no
//! alarm, it costs power. That power is won back by cutting off the
//! last τ, the quantile [`Settings::trust`] of the holds that no restart cut
//! short ([`Censored`]); for E not less than the same of the superseded
//! streams, which are held longer. The quantile is linear between neighbours
//! ([`crate::quantile`]). What a restart closed was logged by it, so that up to
//! a restart nothing is cut off; only the last segment loses τ. With
//! openings in the log nothing is hidden and τ is 0.
//!
//! There are estimators that weigh what is seen by the chance of having been
//! seen (Horvitz and Thompson, J. Am. Stat. Assoc. 47, 1952). They are not
//! used: near the end their scatter is as large as what they estimate, and
//! they need holds that do not depend on when a stream began, which is what a
//! leak breaks.
//!
//! The left edge hides nothing: a stream that was open at T0 ends within the
//! log, or is hidden as above.
//!
//! # Segments and windows
//!
//! Restarts cut the log into segments; a few bins after each are left out,
//! while clients come back ([`crate::detect::window`]). In each segment that is long
//! enough E is tested over the whole, its halves and its quarters, so that a
//! leak that starts late, or is fixed early, is found; N over the whole. With
//! W windows in the log each is tested at α / W ([`Settings::alpha`]): by
//! Bonferroni's inequality the chance of any false one is at most α, however
//! the windows overlap.
//!
//! # The slope
//!
//! A window is cut into K = 12 equal slices (fewer if it has fewer bins), and
//! a line is fitted to their exact means. Slices and not bins: neighbouring
//! minutes see the same streams, and a regression that takes them for
//! independent is far too sure of itself. Means over long stretches depend on
//! each other less the longer these are, which is the method of batch means;
//! ten to thirty batches are enough, and more gain little (Schmeiser, "Batch
//! Size Effects in the Analysis of Simulation Output", Operations Research
//! 30, 1982). A length taken from the holds would be more natural and is of no
//! use: in a leak they are as long as the log.
//!
//! With x = k - (K - 1)/2 for the k-th slice (from 0) and z its mean,
//!
//! ```text
//! Sxx = Σ x² = K (K² - 1) / 12        b = Σ x (z - z̄) / Sxx
//! u = z - z̄ - b x                     se₀ = √(Σu² / (K - 2) / Sxx)
//! ```
//!
//! **The guard.** What correlation is left between slices makes se₀ too small.
//! For residuals that follow each other with correlation ρ (an
//! autoregression of the first order) the variance of a mean, and of a slope,
//! grows by (1 + ρ) / (1 - ρ) as K grows (Bayley and Hammersley, Suppl. J. R.
//! Stat. Soc. 8, 1946). The correlation that is seen, r₁ = Σ u u' / Σ u², is
//! too small, because the fit has taken out of the residuals what they had in
//! common (Marriott and Pope, Biometrika 41, 1954); 2/K makes up for it:
//!
//! ```text
//! ρ = r₁ + 2/K, within 0 and a cap     se = se₀ √((1 + ρ) / (1 - ρ))
//! t = b / se                            p = P(T > t), K - 2 degrees of freedom
//! ```
//!
//! Without a cap the trend's own bend, which is what a young leak has, would
//! pass for correlation, and clean leaks would be missed. T has Student's
//! distribution ("The Probable Error of a Mean", Biometrika 6, 1908), the test
//! is one-sided since a fall is no leak ([`SlopeTest`], [`crate::detect::trend`]). A
//! line that fits exactly has its se held above 1e-9 a slice.
//!
//! # How large a climb must be
//!
//! Significant is not large. The rise b K must reach the largest of three
//! ([`Settings::threshold`]), where L is the line's value in the first slice:
//!
//! - [`Settings::min_rise`] streams: two or three are not worth anyone's
//!   night.
//! - [`Settings::relative_rise`] · L: a fifth more of what is there.
//! - [`Settings::chance_rise`] · √(2 L). If streams begin at chance times, how
//!   many are open at an instant has Poisson's distribution with mean and
//!   variance L, whatever the distribution of holds (the queue M/G/∞; Takács,
//!   "Introduction to the Theory of Queues", 1962). Two looks that are
//!   independent differ with variance 2 L. This one is needed where a window
//!   holds too few holds for any slope to know its error: then the level
//!   wanders once, slowly, and twelve slices see a straight line.
//!
//! # What opens explain
//!
//! E climbs too when more people arrive behind one address. By Little's law
//! (Little, "A Proof for the Queuing Formula: L = λW", Operations Research 9,
//! 1961) the number open is the rate of openings times the hold. More people
//! open proportionally more; a leak keeps its rate of openings, and holds
//! longer. So for each key, with its time in the window halved into a and b,
//! n the mean number open and o the openings of a half,
//!
//! ```text
//! term = n_b - n_a (o_b + ½) / (o_a + ½),        L = Σ terms
//! ```
//!
//! is what opens do not explain ([`crate::detect::attribution`]). The halves keep a ratio of
//! two counts defined and nearly without bias at small ones (as in Haldane,
//! Ann. Hum. Genet. 20, 1956, for the logarithm of odds). A steady leak with
//! steady opens gains half of its rise from one half to the other: L is then
//! rise / 2, and L at least [`Settings::unexplained`] · rise is asked, in the
//! window, and [`Settings::unexplained_segment`] of the whole segment's rise
//! around it. "Opens explain x %" is 1 - L / (rise / 2).
//!
//! *How far L strays.* A half's mean number open has, by the same Poisson
//! argument, the variance n · 2h/T for a half of length T long beside the hold
//! h, which is n T / o by Little, and never more than n. The ratio r of two
//! counts has `r² (1/o_a + 1/o_b)` by Gauss's law of propagation. Summed over
//! the keys that is the sd of L; a climb must be so many of them
//! ([`Settings::unexplained_sd`] where it is over,
//! [`Settings::climbing_sd`] where it goes on).
//!
//! *Held on.* A client whose opens speed up with the streams that it leaves
//! behind looks as if opens explained them. But of streams that are closed in
//! the end, some are closed within half the time. Where
//! [`Settings::held_on`] of the superseded streams that were open in the
//! middle are still open at the end, opens are no explanation, however many
//! ([`Unexplained::held_on`]); and a climb that goes on is no chance where the
//! clients that make most of it close nothing ([`Unexplained::stays`]).
//!
//! # The shape of a climb
//!
//! *Step:* hardly a bin lies between a quarter and three quarters of the way
//! up ([`Settings::occupancy`]). *Over:* the window does not end where its
//! segment ends, or hardly anything of the rise comes after its middle third
//! ([`Settings::still`]): something bounds it. Where no slope is a climb, one
//! jump that explains nearly all of a whole segment's variance
//! ([`Settings::step_r2`], [`StepFit`]) is a step too.
//!
//! # One slope for many segments
//!
//! A server that restarts every few minutes leaves segments too short for any
//! test. What climbs in each of them climbs. One slope is fitted to all, each
//! with a level of its own: the "within" estimator (Wooldridge, "Econometric
//! Analysis of Cross Section and Panel Data", §10.5). Places and means are
//! taken from each segment's own middle, residuals are put together, the
//! guard is the same, and n slices of m segments leave n - m - 1 degrees of
//! freedom ([`Pooled`]). The levels add up in the threshold, as chance does
//! over independent windows.
//!
//! # A leak that levelled off before the log began
//!
//! A client that opens a stream every T, abandons it, and has it closed after
//! a hold h holds k = h / T at once, and does not climb. k people behind one
//! address, each with one stream that is cut at a ceiling and opened again,
//! hold and open as many. Only the rhythm tells them apart
//! ([`crate::detect::rhythm`]): the one timer of a client makes even intervals, where
//! each person stands in the ceiling is chance.
//!
//! Let k places be thrown at random on a circle of length 1. The spacings
//! `s₁ … sₖ` between neighbours are uniform on the simplex sᵢ ≥ 0, Σ sᵢ = 1
//! (Pyke, "Spacings", J. R. Stat. Soc. B 27, 1965). Their mean is 1/k, so for
//! their coefficient of variation c
//!
//! ```text
//! c² = k² · (1/k) Σ (sᵢ - 1/k)²,    that is    Σ (sᵢ - 1/k)² = c² / k :
//! ```
//!
//! spacings that vary by c or less are those in a ball of radius c/√k around
//! the simplex's middle. The simplex has k - 1 dimensions and the volume
//! √k / (k - 1)!, the ball V(k-1) (c/√k)^(k-1), with V(n) the volume of the
//! unit ball. The chance is the one over the other,
//!
//! ```text
//! P(c) = V(k-1) (c/√k)^(k-1) (k-1)! / √k,
//! ```
//!
//! exact while the ball lies within the simplex, which is while
//! c ≤ 1/√(k - 1), the distance to a face being 1/√(k (k - 1)); beyond, part
//! of the ball lies outside and P(c) is too large, which errs on the quiet
//! side. So does it where places drift from round to round. Intervals that
//! are pauses may be left out, and P is multiplied by the ways in which as
//! many could have been chosen. The chances of several keys are put together
//! as the smaller of Bonferroni's (the least times their number) and
//! Fisher's (-2 Σ ln p is chi-square with two degrees of freedom a key;
//! "Statistical Methods for Research Workers", §21.1), doubled for having had
//! the choice of two.
//!
//! # Streams that multiply
//!
//! A client whose two error handlers both reconnect has 2, 4, 8 streams, and
//! opens as many: opens explain it all. What tells it from people who arrive
//! is when the openings beyond one for one come, which is right after an end
//! of the key's own ([`crate::detect::branch`]). If they came at any time, each of n
//! moments with such an opening would lie soon after an end with the
//! probability q, the share of time that does. By Markov's inequality on
//! e^(θX), at the best θ, the chance that a share s > q of them do is at most
//!
//! ```text
//! e^(-n D),      D = s ln(s/q) + (1 - s) ln((1 - s)/(1 - q))
//! ```
//!
//! (Chernoff, Ann. Math. Stat. 23, 1952; Arratia and Gordon, Bull. Math. Biol.
//! 51, 1989). A bound is all that is needed: it is above the chance. It is
//! shared out among the keys that were asked.
//!
//! # Cycling
//!
//! Where no climb is found, most streams end at one hold (a ceiling,
//! [`Holds::ceiling`]) and most of these are opened again within the longest
//! usual back-off ([`crate::detect::reopen`]), the log is *cycling* and not flat: it
//! costs reconnects, and leaks nothing.
//!
//! # Against a baseline
//!
//! With a healthy stretch whose slope is b₀ with error se₀, the null
//! hypothesis is b₀ and not 0 ([`against_baseline`]):
//!
//! ```text
//! t = (b - b₀) / √(se² + se₀²)
//! df = (se² + se₀²)² / (se⁴/df + se₀⁴/df₀)
//! ```
//!
//! (Welch, Biometrika 34, 1947; Satterthwaite, Biometrics Bulletin 2, 1946).
//! A baseline that falls counts as level: an evening makes no climb of what
//! stays as it is. The *level* of E is held against the baseline's in the same
//! way, batch means, guard and all, and more opens must fail to explain the
//! difference ([`crate::detect::baseline_level`]): that shows a leak that had levelled off,
//! whatever its rhythm, and is asked in its place.
//!
//! # Which rule decides
//!
//! The rules are asked in the order of [`Criterion`], and the first that says
//! anything decides, unless one that may overrule it calls the log something
//! graver. `--why` lists what each said and what came second.
//!
//! # Where the numbers come from
//!
//! The thresholds were set on simulated logs of healthy and of leaking
//! traffic and measured on others, written after they were set:
//!
//! ```text
//! cargo bench --bench calibrate -- --logs 500
//! ```
//!
//! judges so many logs of each of some two hundred scenarios with the
//! library's own code. A healthy one should raise an alarm in 0.5 % of its
//! logs at most, a faulty one in 99.5 % at least. The arithmetic itself is
//! tested against NIST's certified regressions, scipy's distributions and a
//! second implementation in another language (`fixtures/reference`), and
//! `tests/it/why` redoes every verdict of that from the JSON of `--why` alone.
//! All traffic there is simulated. Not every healthy log can be cleared: tabs
//! of many people behind one address, held for hours without any ceiling, are
//! a leak to every number on this page. That takes a finer key or a baseline,
//! and no threshold.
//!
//! # What such a log cannot know
//!
//! A log of ends holds no stream that has not ended. A leak of which nothing
//! was closed before T1 is not in it at all, and no statistic finds it. There
//! are four ways to know of streams still open, and each settles something
//! else:
//!
//! 1. **Openings are logged too** and joined to their ends by a request id
//!    ([`crate::streams::join`], [`Evidence::opens_known`]). Settles how many are open
//!    at T1, whose they are, and a leak while it grows. What began before the
//!    log, and has not ended, is still unknown.
//! 2. **A restart or a drain closes them.** Settles everything before it: the
//!    height of the pile that it cleared is the leak. It says nothing of what
//!    was opened since.
//! 3. **A later part of the log**, in which they end. Settles the hidden end
//!    of the earlier part up to the longest hold that the later one can show;
//!    never a stream that ends in neither.
//! 4. **Clients that made requests and finished no stream**
//!    (`--silent-clients`, [`Found::silent`]). Settles who may hold hidden
//!    streams, not whether they do or how many; none at all leaves only the
//!    known clients.
//!
//! [`KeyField`]: crate::collect::KeyField
//! [`Sign::Deploys`]: crate::series::Sign::Deploys
//! [`Censored`]: crate::detect::Censored
//! [`Settings::trust`]: crate::detect::Settings::trust
//! [`Settings::alpha`]: crate::detect::Settings::alpha
//! [`Settings::threshold`]: crate::detect::Settings::threshold
//! [`Settings::min_rise`]: crate::detect::Settings::min_rise
//! [`Settings::relative_rise`]: crate::detect::Settings::relative_rise
//! [`Settings::chance_rise`]: crate::detect::Settings::chance_rise
//! [`Settings::unexplained`]: crate::detect::Settings::unexplained
//! [`Settings::unexplained_segment`]: crate::detect::Settings::unexplained_segment
//! [`Settings::unexplained_sd`]: crate::detect::Settings::unexplained_sd
//! [`Settings::climbing_sd`]: crate::detect::Settings::climbing_sd
//! [`Settings::held_on`]: crate::detect::Settings::held_on
//! [`Settings::occupancy`]: crate::detect::Settings::occupancy
//! [`Settings::still`]: crate::detect::Settings::still
//! [`Settings::step_r2`]: crate::detect::Settings::step_r2
//! [`SlopeTest`]: crate::detect::SlopeTest
//! [`StepFit`]: crate::detect::StepFit
//! [`Pooled`]: crate::detect::Pooled
//! [`against_baseline`]: crate::detect::against_baseline
//! [`Unexplained::held_on`]: crate::detect::Unexplained::held_on
//! [`Unexplained::stays`]: crate::detect::Unexplained::stays
//! [`Holds::ceiling`]: crate::streams::Holds::ceiling
//! [`Criterion`]: crate::detect::Criterion
//! [`Evidence::opens_known`]: crate::detect::Evidence::opens_known
//! [`Found::silent`]: crate::detect::Found::silent
