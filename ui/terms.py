"""The technical terms, each defined once, and the subtitles that name axes and units."""

HOVERS = {
    "epsilon": "ε: how much one person can change the odds of any output; smaller is more private.",
    "delta": "δ: the probability with which the promise of ε is allowed to slip.",
    "neighbours": "Neighbours: two data sets that differ in one person.",
    "eigengap": "Eigengap: how far the last direction kept stands above the first one dropped, "
    "counted in people.",
    "odds": "The tightest bound that is proved: exact for Gaussian noise, (e^ε + δ)/(1 + e^ε) in "
    "general. The guesser knows everyone else's record.",
}

SUBTITLES = {
    "kept": "second moment captured, % of what PCA captures; bands: 50, 80 and 95 % of releases",
    "sin": "sin Θ (Frobenius) between released and true {space}; 0 = the same",
    "dots": "each dot is one of 25 equally likely releases",
    "sin_dots": "the same 25, by how far they turn",
    "spectrum": "eigenvalues of S, in {many}; filled: kept; band: size of the noise",
    "noise": "spectral norm of each mechanism’s noise against the eigengap, in {many}",
}
