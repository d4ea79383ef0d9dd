/* Empty: no function of the 32-bit library is a mere stub. */
